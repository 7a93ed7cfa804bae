"""One room a stage; rooms know the engine, never each other."""
