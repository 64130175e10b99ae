"""Figures of your own models, fit for print: `from rulewright import figures`, then draw, then `figures.save`.

A function draws on the axes it is given (`ax`) or on a figure of its own, and returns the axes. The extra `plot` brings
matplotlib.
"""

from rulewright.figures.curves import reward_curves as reward_curves
from rulewright.figures.curves import training_curve as training_curve
from rulewright.figures.grids import policy_on_grid as policy_on_grid
from rulewright.figures.grids import save_animation as save_animation
from rulewright.figures.grids import walk_animation as walk_animation
from rulewright.figures.style import house as house
from rulewright.figures.style import save as save
from rulewright.figures.surfaces import activation_surfaces as activation_surfaces
from rulewright.figures.surfaces import operator_surface as operator_surface
from rulewright.figures.trees import rule_tree as rule_tree
