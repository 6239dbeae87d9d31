"""What the tests run against: the product as a process, faults on the way to it, both clients as one."""
