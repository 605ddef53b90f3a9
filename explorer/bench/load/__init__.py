"""Many visitors at once: how long they wait, whether anything is lost, and what the server's memory does.

    pip install -e ".[bench]"
    python -m explorer.bench.load --clients 30 --seconds 60

Starts the app, or takes a running one (`--url`); asks only this machine. Visitors are coroutines of one process that
speak what the browser speaks, at about 1 ms of processor time a translation, which they unpack, read and check: a
server that shares two processors with them would otherwise be measured too slow (gradio_client takes 50 ms; the request
alone 0.2 ms with aiohttp and 3 ms with httpx). Each visitor translates sentences that nobody else asks for, thinks, and
now and then asks one of the rooms about the same sentence. He checks that every answer belongs to what he asked.
"""
