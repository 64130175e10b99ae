% A circle of people.
friend(aki, elif).  friend(bruno, jonas).  friend(david, elif).  friend(david, karla).  friend(franz, clara).
friend(greta, aki).  friend(greta, franz).  friend(ida, bruno).  friend(ida, franz).  friend(ida, hans).
friend(ida, jonas).  friend(jonas, franz).  friend(jonas, greta).  friend(karla, david).  friend(karla, hans).
friend(karla, leo).
partner(bruno, greta).  partner(bruno, jonas).  partner(clara, aki).  partner(clara, jonas).
partner(hans, bruno).  partner(ida, clara).  partner(ida, karla).  partner(jonas, bruno).
colleague(aki, hans).  colleague(bruno, david).  colleague(clara, aki).  colleague(clara, bruno).
colleague(david, greta).  colleague(franz, bruno).  colleague(greta, hans).  colleague(greta, leo).
colleague(hans, aki).  colleague(hans, elif).  colleague(ida, hans).  colleague(jonas, ida).
colleague(jonas, leo).  colleague(karla, hans).
rival(clara, karla).  rival(david, clara).  rival(elif, franz).  rival(franz, david).  rival(franz, ida).
rival(hans, franz).  rival(hans, greta).  rival(hans, leo).  rival(ida, leo).  rival(jonas, leo).
rival(karla, clara).  rival(karla, greta).
