% Everybody else does not.
looks_up_to(abel, hugo).  looks_up_to(bodo, hugo).  looks_up_to(dirk, bodo).  looks_up_to(dirk, ines).
looks_up_to(ella, dirk).  looks_up_to(ella, ines).  looks_up_to(fred, abel).  looks_up_to(fred, hugo).
looks_up_to(fred, ines).  looks_up_to(gret, bodo).  looks_up_to(jens, cora).
