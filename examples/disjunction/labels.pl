% The list of invitations.
invites(bruno, franz).  invites(bruno, greta).  invites(bruno, jonas).  invites(clara, aki).
invites(clara, jonas).  invites(david, david).  invites(david, hans).  invites(david, leo).
invites(greta, clara).  invites(greta, elif).  invites(hans, bruno).  invites(ida, clara).
invites(ida, franz).  invites(ida, greta).  invites(ida, jonas).  invites(ida, karla).  invites(jonas, aki).
invites(jonas, bruno).  invites(jonas, clara).  invites(jonas, franz).  invites(karla, elif).
invites(karla, karla).
