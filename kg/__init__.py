"""The graph: models, the Bolt store, migrations, embeddings, search, import and export."""
