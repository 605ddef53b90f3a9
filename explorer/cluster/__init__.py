"""The translator on several processes or machines, behind Ray Serve; the page stays one process in front of them.

python -m pip install -e ".[serve]"
python -m explorer.cluster --replicas 2
"""
