# Stands in for `postgres:18`, with the PostgreSQL of Debian.
FROM localhost/stand-in-base
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/busybox \
    PGDATA=/var/lib/postgresql/18/docker
RUN rm -rf /var/lib/postgresql/* && chmod 755 /usr/local/bin/docker-entrypoint.sh && install -d -m 1777 /var/run/postgresql
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
