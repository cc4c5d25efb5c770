"""What the layers of one release say together: the same as each of them."""

from dpmap.statement.kinds import of_layers

kind = of_layers
