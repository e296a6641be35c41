# Stands in for `temporalio/ui`.
FROM localhost/stand-in-base
COPY server /usr/local/bin/ui-server
COPY docker.yaml /home/ui-server/config/docker.yaml
WORKDIR /home/ui-server
EXPOSE 8080
ENTRYPOINT ["ui-server", "--env", "docker", "start"]
