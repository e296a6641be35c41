# Debian with PostgreSQL, BusyBox and netcat, the base of all stand-ins.
FROM scratch
ADD debian.tar /
RUN mkdir -p /opt/busybox && busybox --install -s /opt/busybox && rm /opt/busybox/nc
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/busybox
