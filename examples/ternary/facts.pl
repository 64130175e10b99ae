% Who did what to whom: gave(ann, bob, ball) says that ann gave bob the ball.
gave(amal, bea, drum).  gave(amal, emil, doll).  gave(amal, gabi, bread).  gave(amal, gabi, coat).
gave(bea, fritz, doll).  gave(chen, dora, apple).  gave(chen, fritz, doll).  gave(dora, amal, kite).
gave(dora, chen, drum).  gave(dora, gabi, ball).  gave(emil, amal, drum).  gave(emil, chen, bread).
gave(emil, chen, kite).  gave(emil, dora, ball).  gave(emil, fritz, coat).  gave(fritz, bea, bread).
gave(fritz, bea, doll).  gave(gabi, chen, drum).
lent(amal, chen, doll).  lent(amal, dora, ball).  lent(bea, emil, doll).  lent(bea, gabi, drum).
lent(chen, bea, ball).  lent(chen, emil, doll).  lent(chen, emil, kite).  lent(dora, bea, coat).
lent(dora, emil, drum).  lent(dora, emil, kite).  lent(dora, fritz, coat).  lent(emil, amal, ball).
lent(emil, amal, coat).  lent(emil, chen, bread).  lent(emil, chen, drum).  lent(fritz, emil, ball).
lent(fritz, emil, kite).  lent(gabi, dora, kite).
showed(amal, bea, drum).  showed(amal, dora, drum).  showed(amal, dora, kite).  showed(amal, gabi, coat).
showed(amal, gabi, doll).  showed(bea, amal, ball).  showed(bea, fritz, bread).  showed(bea, gabi, coat).
showed(chen, amal, drum).  showed(dora, bea, apple).  showed(dora, emil, kite).  showed(dora, fritz, ball).
showed(dora, gabi, ball).  showed(dora, gabi, kite).  showed(emil, bea, doll).  showed(emil, gabi, coat).
showed(fritz, amal, bread).  showed(gabi, dora, doll).

% What the things are.
toy(ball).  toy(kite).  toy(doll).  toy(drum).
food(apple).  food(bread).
round(ball).  round(apple).  round(drum).
light(kite).  light(doll).  light(bread).  light(coat).
