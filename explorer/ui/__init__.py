"""What all rooms stand on: components, words, colours, the glossary, and the modules of the browser that rooms use."""
