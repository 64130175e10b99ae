% All that the children play with.
plays_with(amal, drum).  plays_with(amal, kite).  plays_with(bea, doll).  plays_with(bea, drum).
plays_with(chen, drum).  plays_with(chen, kite).  plays_with(dora, ball).  plays_with(emil, doll).
plays_with(fritz, doll).  plays_with(gabi, ball).
