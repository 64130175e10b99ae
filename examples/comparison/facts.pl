% Who is whose friend, and whose cousin.
friend(abel, dirk).  friend(abel, hugo).  friend(bodo, dirk).  friend(bodo, ella).  friend(bodo, hugo).
friend(cora, ella).  friend(cora, gret).  friend(cora, jens).  friend(dirk, bodo).  friend(dirk, cora).
friend(dirk, ella).  friend(dirk, gret).  friend(dirk, ines).  friend(ella, dirk).  friend(ella, ines).
friend(fred, abel).  friend(fred, dirk).  friend(fred, ella).  friend(fred, hugo).  friend(fred, ines).
friend(fred, jens).  friend(gret, bodo).  friend(hugo, bodo).  friend(hugo, ella).  friend(hugo, fred).
friend(hugo, ines).  friend(ines, fred).  friend(jens, cora).
cousin(abel, bodo).  cousin(abel, gret).  cousin(abel, hugo).  cousin(cora, dirk).  cousin(cora, ines).
cousin(dirk, ella).  cousin(ella, cora).  cousin(ella, fred).  cousin(ella, ines).  cousin(ella, jens).
cousin(fred, bodo).  cousin(fred, gret).  cousin(fred, jens).  cousin(gret, ines).  cousin(gret, jens).
cousin(hugo, bodo).  cousin(hugo, gret).  cousin(hugo, ines).  cousin(jens, abel).  cousin(jens, dirk).

% Numbers about each of them.
age(abel, 11).  age(bodo, 14).  age(cora, 7).  age(dirk, 8).  age(ella, 7).  age(fred, 8).  age(gret, 7).
age(hugo, 15).  age(ines, 15).  age(jens, 6).
height(abel, 119).  height(bodo, 136).  height(cora, 101).  height(dirk, 156).  height(ella, 159).
height(fred, 114).  height(gret, 103).  height(hugo, 166).  height(ines, 121).  height(jens, 162).
