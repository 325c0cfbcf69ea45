"""The board in the hall: one line for each shift."""

from rota.handover import handovers
from rota.model import Shift


def line(shift, following):
    """One line of the board."""
    team = following.team if following else "nobody"
    return f"{shift.begins_h:02}-{shift.ends_h:02} {shift.team}, then {team}"


def board(shifts):
    """Every line of the board, in the order of the day."""
    return [line(shift, following) for shift, following in handovers(shifts)]


def main():
    """Print today's board."""
    for text in board([Shift("red", 6, 14), Shift("blue", 14, 22), Shift("green", 22, 6)]):
        print(text)
