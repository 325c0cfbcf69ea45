"""Those who answer: one module, one kind of provider, all held to one contract suite.

``openai`` and ``anthropic`` go over the network and load their client only when they are
asked; ``embedded`` and ``scripted`` answer from this process. The suite is
``witmark.testing.provider_contract``.
"""
