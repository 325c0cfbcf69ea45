"""What a model is asked in a review, and the gates that its replies have to pass.

``talking`` puts the questions; ``sheets`` says what is known without a raw id; ``saying``
holds a reply's words to it. ``units``, ``roles`` and ``interfaces`` may not know that rules
exist; ``opinions`` may. Nothing that a model says changes a fact or a count.
"""
