"""The generator of the sample mailbox: fictional shops, carriers and people, real MIME, known truth.

Use ``generate.write_sample_mailbox`` and ``config.sample_config_toml``. Nothing here is copied from anybody's mail.
"""
