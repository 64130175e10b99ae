"""Where independent pieces of work run: in this process, on its threads, or on a Dask cluster."""
