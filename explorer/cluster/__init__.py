"""Runs the translator in several processes, with Ray Serve; the page stays one process that forwards requests.

python -m pip install -e ".[serve]"
python -m explorer.cluster --replicas 2
"""
