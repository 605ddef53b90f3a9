"""What is wrong with a file that somebody wrote by hand, in a sentence."""

from model.faults import first_fault as first_fault
