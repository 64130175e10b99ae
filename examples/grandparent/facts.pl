% A family, and who of them are friends and neighbours.
parent(ann, bob).  parent(ann, cleo).  parent(dan, bob).  parent(dan, cleo).  parent(bob, eve).
parent(bob, finn).  parent(gina, eve).  parent(gina, finn).  parent(cleo, hal).  parent(ivan, hal).
parent(hal, jo).  parent(kim, jo).  parent(eve, lou).  parent(max, lou).  parent(nora, gina).
parent(otto, gina).  parent(nora, kim).
friend(ann, otto).  friend(cleo, gina).  friend(cleo, max).  friend(dan, max).  friend(finn, jo).
friend(gina, bob).  friend(gina, lou).  friend(hal, max).  friend(hal, nora).  friend(ivan, cleo).
friend(ivan, otto).  friend(jo, hal).  friend(kim, eve).  friend(lou, ann).  friend(lou, gina).
friend(max, dan).  friend(max, gina).  friend(otto, dan).
neighbour(ann, cleo).  neighbour(ann, finn).  neighbour(ann, hal).  neighbour(bob, otto).
neighbour(cleo, kim).  neighbour(dan, bob).  neighbour(finn, gina).  neighbour(hal, cleo).
neighbour(ivan, hal).  neighbour(ivan, lou).  neighbour(kim, finn).  neighbour(lou, bob).
neighbour(lou, nora).  neighbour(max, ann).  neighbour(max, dan).  neighbour(nora, otto).

% What is to be explained: the head of the template. These facts are hidden from the bodies.
grandparent(ann, eve).  grandparent(ann, finn).  grandparent(ann, hal).  grandparent(bob, lou).
grandparent(cleo, jo).  grandparent(dan, eve).  grandparent(dan, finn).  grandparent(dan, hal).
grandparent(gina, lou).  grandparent(ivan, jo).  grandparent(nora, eve).  grandparent(nora, finn).
grandparent(nora, jo).  grandparent(otto, eve).  grandparent(otto, finn).
