"""Reordering by rules: sentences of the shapes that R2R's instructions have, read one by one."""

import pytest

from navviz.language.reorder import reorder_by_rules, text_of

READ = """
Walk onto the balcony and stop once you are outside. => Walk onto the balcony. Go outside. Stop.
Turn left, stop after once outside. => Turn left. Go outside. Stop.
Take a right and when you get to the stairs stop. => Take a right. Get to the stairs. Stop.
Make another right when the door is reached. => Go on until the door is reached. Make another right.
Walk straight, right before you reach the bed, turn left. => Walk straight. Go towards the bed. Turn left.
Walk straight, right before you reach the bed. => Walk straight. Go towards the bed.
Go down the hall until you are told next. => Go down the hall. Go on until you are told next.
Wait here until you are told what to do next. => Wait here until you are told what to do next.
Go past the couch and stop right before you reach the door. => Go past the couch. Go towards the door. Stop.
Turn left just before the stairs. => Go towards the stairs. Turn left in front of the stairs.
Walk straight, just after you pass the sofa, turn right. => Walk straight. Pass the sofa. Turn right.
Stop immediately after entering the kitchen. => Enter the kitchen. Stop.
Turn right, right after the piano. => Go past the piano. Turn right.
Once you have passed the table, turn left and wait. => Pass the table. Turn left. Wait.
Before you get to the sink, stop. => Go towards the sink. Stop.
Stop before you go through the door. => Go towards the door. Stop.
Keep walking until you see a red chair. => Keep walking. See a red chair.
Walk until you are standing next to the bed. => Walk. Go to the bed.
Walk until you can see the pool. => Walk. See the pool.
Continue until the hallway ends. => Continue. Go on until the hallway ends.
Go straight until it is no longer possible. => Go straight. Go on until it is no longer possible.
Right before the end of the hall turn right. => Go towards the end of the hall. Turn right.
Immediately upon entering the room, turn left. => Enter the room. Turn left.
Shortly before reaching the fireplace, go left. => Go towards the fireplace. Go left.
Turn right when you are in the hallway, stop right when you see the vase. => Go into the hallway. Turn right. See the vase. Stop.
Walk up the stairs, stopping just before the top. => Walk up the stairs. Go towards the top. Stop in front of the top.
When you are facing the window, turn right. => Face the window. Turn right.
Stop when the counter is on your left. => Go on until the counter is on your left. Stop.
After you exit the bathroom, go left until you're at the rug. => Exit the bathroom. Go left. Go to the rug.
Go forward and, just before the pillar, make a left. => Go forward. Go towards the pillar. Make a left.
Walk to the door, right after that turn left. => Walk to the door. Turn left.
Stop as soon as you are able to touch the wall. => Go on until you are able to touch the wall. Stop.
Go left until told to stop. => Go left. Go on until told to stop.
Wait until you are asked to move. => Wait until you are asked to move.
Walk to the right before the couch. => Go towards the couch. Walk to the right in front of the couch.
Turn right before the couch. => Go towards the couch. Turn right in front of the couch.
Take a right, right before the couch. => Go towards the couch. Take a right in front of the couch.
Go right until the doorway. => Go right. Go on to the doorway.
Head straight once out of the bedroom. => Go out of the bedroom. Head straight.
Walk until you've reached the last door on the left, then wait outside. => Walk. Reach the last door on the left. Wait outside.
Wait before entering. => Wait.
Stop after you have gone down three steps. => Go down three steps. Stop.
Turn left when you come to the second archway. => Come to the second archway. Turn left.
Proceed until directly in front of the mirror. => Proceed. Go in front of the mirror.
Go up the stairs, immediately after reaching the landing, turn right. => Go up the stairs. Reach the landing. Turn right.
Turn left, as soon as you enter the lobby. => Enter the lobby. Turn left.
Turn around, when you see the clock. => See the clock. Turn around.
Continue forward, just before the arch, veer left. => Continue forward. Go towards the arch. Veer left.
Exit the closet and take an immediate right when you reach the hall. => Exit the closet. Reach the hall. Take an immediate right.
Stop in the doorway, before you enter the bathroom. => Go towards the bathroom. Stop in the doorway.
Walk past the bar until the floor turns to carpet. => Walk past the bar. Go on until the floor turns to carpet.
Once the stairs are behind you, go through the door on the right. => Go on until the stairs are behind you. Go through the door on the right.
After the hallway turns left, enter the first bedroom. => Go on until the hallway turns left. Enter the first bedroom.
Stand still until the door opens. => Stand still until the door opens.
Go towards the bed, and stop just before it. => Go towards the bed. Stop in front of it.
Wait at the bottom of the stairs until someone tells you to come up. => Wait at the bottom of the stairs until someone tells you to come up.
When you have turned around, walk out of the room. => Turn around. Walk out of the room.
Head down the corridor until it becomes dark. => Head down the corridor. Go on until it becomes dark.
Just as you pass the table, turn left. => Pass the table. Turn left.
Upon arriving at the pool, wait. => Arrive at the pool. Wait.
Keep right until the fork. => Keep right. Go on to the fork.
Before the kitchen that is on the left, turn right. => Go towards the kitchen that is on the left. Turn right.
Walk down the steps until you're at the bottom, right before the rug. => Walk down the steps. Go to the bottom. Go towards the rug.
After being told to, walk on. => Go on until you are told to. Walk on.
Walk forward until no more stairs remain. => Walk forward. Go on until no more stairs remain.
Turn slightly right as soon as the couch is next to you. => Go on until the couch is next to you. Turn slightly right.
When done with the stairs, walk right past the sofa. => Go on until done with the stairs. Walk right past the sofa.
Wait right after the door. => Go past the door. Wait.
Before you leave, turn off the light. => Turn off the light.
Leave the room after the lady does. => Go on until the lady does. Leave the room.
You are at the door, once you are through, stop. => You are at the door. Go through. Stop.
Right before. =>
"""
"""What was written by hand, and what it must become."""


@pytest.mark.parametrize("line", READ.strip().splitlines())
def test_a_reordered_sentence_is_grammatical_and_loses_no_side(line):
    instruction, ordered = (part.strip() for part in line.split("=>"))
    assert text_of(reorder_by_rules(instruction)) == ordered
