% Who knows whom.
friend(ada, fay).  friend(ada, jana).  friend(ben, jana).  friend(cem, dina).  friend(cem, edi).
friend(dina, cem).  friend(dina, edi).  friend(edi, cem).  friend(edi, gus).  friend(edi, kofi).
friend(fay, ben).  friend(gus, ada).  friend(gus, edi).  friend(hana, cem).  friend(ilja, jana).
friend(ilja, kofi).  friend(jana, ada).  friend(jana, cem).  friend(jana, edi).  friend(jana, fay).
friend(kofi, ilja).  friend(lena, ada).  friend(lena, ben).  friend(lena, cem).  friend(lena, gus).
friend(lena, kofi).
colleague(ada, ben).  colleague(ada, gus).  colleague(ben, gus).  colleague(ben, lena).  colleague(dina, gus).
colleague(dina, ilja).  colleague(edi, ilja).  colleague(edi, jana).  colleague(fay, gus).
colleague(fay, ilja).  colleague(gus, ada).  colleague(gus, kofi).  colleague(gus, lena).
colleague(hana, dina).  colleague(hana, fay).  colleague(ilja, gus).  colleague(ilja, lena).
colleague(jana, ada).  colleague(jana, ilja).  colleague(kofi, cem).

% How they are.
ill(ada).  ill(cem).  ill(fay).  ill(gus).  ill(ilja).
busy(cem).  busy(dina).  busy(fay).  busy(hana).  busy(kofi).
young(ada).  young(ben).  young(cem).  young(dina).  young(ilja).
