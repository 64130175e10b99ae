% Whoever is not listed here is not visited.
visits(ada, jana).  visits(ben, jana).  visits(cem, dina).  visits(cem, edi).  visits(dina, edi).
visits(edi, kofi).  visits(fay, ben).  visits(gus, edi).  visits(ilja, jana).  visits(ilja, kofi).
visits(jana, edi).  visits(lena, ben).  visits(lena, kofi).
