# Stands in for `temporalio/admin-tools`.
FROM localhost/stand-in-base
COPY sql /usr/local/bin/temporal-sql-tool
COPY temporal /usr/local/bin/temporal
COPY schema /etc/temporal/schema
RUN useradd --uid 1000 --user-group temporal
WORKDIR /etc/temporal
USER temporal
ENTRYPOINT ["sleep", "infinity"]
