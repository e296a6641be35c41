# Stands in for `temporalio/server`, with the template of its configuration and an entry point with the same effects.
FROM localhost/stand-in-base
COPY server /usr/local/bin/temporal-server
COPY dockerize /usr/local/bin/dockerize
COPY config_template.yaml /etc/temporal/config/config_template.yaml
COPY temporal-entrypoint.sh /etc/temporal/entrypoint.sh
RUN useradd --uid 1000 --user-group temporal && chown -R temporal:temporal /etc/temporal/config && chmod 755 /etc/temporal/entrypoint.sh
WORKDIR /etc/temporal
USER temporal
ENTRYPOINT ["/etc/temporal/entrypoint.sh"]
