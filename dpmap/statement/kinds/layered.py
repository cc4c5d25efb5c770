"""Words for the layers of one release together: the same as for each of them."""

from dpmap.statement.kinds import of_layers

kind = of_layers
