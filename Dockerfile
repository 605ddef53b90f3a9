# The page in a container: docker build -t attention-explorer . && docker run --rm -p 7860:7860 attention-explorer
FROM python:3.12-slim

RUN useradd --create-home --uid 1000 visitor
WORKDIR /home/visitor/app

# What changes seldom first. PyTorch's own index has the small build for CPUs; the other brings gigabytes for GPUs.
COPY requirements.txt ./
RUN pip install --no-cache-dir "$(grep ^torch requirements.txt)" --index-url https://download.pytorch.org/whl/cpu \
    && pip install --no-cache-dir -r requirements.txt

COPY pyproject.toml README.md LICENSE NOTICE ./
COPY assets assets
COPY docs docs
COPY model model
COPY explorer explorer
RUN pip install --no-cache-dir --no-deps .

USER visitor
ENV GRADIO_SERVER_NAME=0.0.0.0 GRADIO_SERVER_PORT=7860
EXPOSE 7860
# As Ctrl-C: the first process of a container does not end by SIGTERM unless it says so.
STOPSIGNAL SIGINT
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:7860/health', timeout=4)"]
ENTRYPOINT ["attention-explorer"]
