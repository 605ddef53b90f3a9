"""A sentence to take from for each example sentence.

It has as many pieces and one word changed, and a difference that the shipped model's German shows
(tests/tabs/test_patch_panel.py).
"""

PARTNERS = {
    "A man in a blue shirt is standing on a ladder cleaning a window.": "A man in a red shirt is standing on a "
    "ladder cleaning a window.",
    "The dog is tired because it has run all day.": "The horse is tired because it has run all day.",
    "I know that he bought a new car yesterday.": "I know that he sold a new car yesterday.",
    "Two children are playing at the playground.": "Two dogs are playing at the playground.",
    "She does not want to go home yet.": "He does not want to go home yet.",
    "The man saw the man who saw the dog.": "The man saw the man who saw the cat.",
    "Why didn't you tell me the truth?": "Why didn't you tell me the story?",
    "The accordion player forgot his umbrella.": "The accordion player forgot her umbrella.",
}
