# Build the wheel first: deploy/wheel
FROM python:3.13-slim

COPY dist/arbitre-*.whl /tmp/
RUN pip install --no-cache-dir /tmp/arbitre-*.whl \
    && rm /tmp/arbitre-*.whl \
    && useradd --system --uid 10001 --no-create-home --home-dir /data arbitre \
    && install --directory --owner=arbitre --mode=0700 /data

ENV ARBITRE_DATA=/data \
    ARBITRE_HOST=0.0.0.0 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=6s --start-period=20s --retries=3 CMD ["arbitre", "health"]
ENTRYPOINT ["arbitre"]
CMD ["serve"]
