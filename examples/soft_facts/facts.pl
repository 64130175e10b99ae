% How far each fruit is red, soft, heavy, shiny: 0.8::red(plum1) is true to the degree 0.8.
0.2::red(plum1).  0.2::red(plum2).  0.9::red(plum3).  red(plum4).  red(plum5).  0.1::red(plum6).
0.2::red(plum7).  0.9::red(plum8).  0.1::red(pear1).  red(pear2).  red(pear3).  0.2::red(pear4).
0.9::red(pear5).  0.2::red(pear6).  0.9::red(pear7).  0.2::red(pear8).  0.1::red(fig1).  0.2::red(fig2).
0.2::red(fig3).  0.2::red(fig4).  0.2::red(fig5).  red(fig6).  0.9::red(fig7).  0.9::red(fig8).
0.8::soft(plum1).  0.2::soft(plum2).  soft(plum3).  0.1::soft(plum4).  0.1::soft(plum5).  0.8::soft(plum6).
soft(plum7).  soft(plum8).  0.1::soft(pear1).  soft(pear2).  0.1::soft(pear3).  0.1::soft(pear4).
0.9::soft(pear5).  soft(pear6).  soft(pear7).  0.8::soft(pear8).  0.8::soft(fig1).  0.9::soft(fig2).
0.9::soft(fig3).  0.2::soft(fig4).  0.1::soft(fig5).  0.8::soft(fig6).  0.2::soft(fig7).  soft(fig8).
0.9::heavy(plum1).  0.9::heavy(plum2).  heavy(plum3).  heavy(plum4).  0.2::heavy(plum5).  0.1::heavy(plum6).
0.1::heavy(plum7).  0.1::heavy(plum8).  0.2::heavy(pear1).  heavy(pear2).  heavy(pear3).  0.1::heavy(pear4).
0.1::heavy(pear5).  0.9::heavy(pear6).  0.2::heavy(pear7).  0.8::heavy(pear8).  heavy(fig1).
0.1::heavy(fig2).  heavy(fig3).  0.8::heavy(fig4).  0.1::heavy(fig5).  0.9::heavy(fig6).  0.1::heavy(fig7).
0.9::heavy(fig8).
0.9::shiny(plum1).  shiny(plum2).  0.1::shiny(plum3).  0.1::shiny(plum4).  0.8::shiny(plum5).
0.1::shiny(plum6).  0.2::shiny(plum7).  0.1::shiny(plum8).  0.2::shiny(pear1).  0.8::shiny(pear2).
0.8::shiny(pear3).  shiny(pear4).  0.9::shiny(pear5).  0.8::shiny(pear6).  shiny(pear7).  0.9::shiny(pear8).
shiny(fig1).  0.9::shiny(fig2).  0.1::shiny(fig3).  0.1::shiny(fig4).  0.2::shiny(fig5).  shiny(fig6).
0.1::shiny(fig7).  shiny(fig8).
