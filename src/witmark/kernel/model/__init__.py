"""Provider-neutral model calls that survive a crash between question and answer.

``request`` is what is asked, ``reply`` what comes back, ``call`` the table that a call walks,
``record`` how it is written down, ``gateway`` the one that dispatches, ``ledger`` what it cost.
"""
