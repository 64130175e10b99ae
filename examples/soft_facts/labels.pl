% How ripe each fruit is said to be; from 0.5 on it counts as ripe.
0.2::ripe(plum1).  0.2::ripe(plum2).  0.9::ripe(plum3).  0.1::ripe(plum4).  0.1::ripe(plum5).
0.1::ripe(plum6).  0.2::ripe(plum7).  0.9::ripe(plum8).  0.1::ripe(pear1).  ripe(pear2).  0.1::ripe(pear3).
0.1::ripe(pear4).  0.9::ripe(pear5).  0.2::ripe(pear6).  0.9::ripe(pear7).  0.2::ripe(pear8).
0.1::ripe(fig1).  0.2::ripe(fig2).  0.2::ripe(fig3).  0.2::ripe(fig4).  0.1::ripe(fig5).  0.8::ripe(fig6).
0.2::ripe(fig7).  0.9::ripe(fig8).
