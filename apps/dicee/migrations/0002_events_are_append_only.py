"""On PostgreSQL the database itself refuses to change or delete a domain event.

One change is let through: while ``oddsmith.tombstone`` is set to ``old>new`` for the transaction, a payload may have
one player id replaced by another, and nothing else (ruling D17). TRUNCATE is not an event's business: it empties test
databases.
"""

from django.db import migrations

GUARD = """
CREATE FUNCTION dicee_guard_domain_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    change text := coalesce(current_setting('oddsmith.tombstone', true), '');
    gone text := split_part(change, '>', 1);
    tombstone text := split_part(change, '>', 2);
BEGIN
    IF OLD.stream <> 'domain' THEN
        RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    IF TG_OP = 'UPDATE' AND change <> ''
        AND (OLD.id, OLD.game_id, OLD.stream, OLD.seq, OLD.type, OLD.trace_id, OLD.proof, OLD.created_at)
            = (NEW.id, NEW.game_id, NEW.stream, NEW.seq, NEW.type, NEW.trace_id, NEW.proof, NEW.created_at)
        AND NEW.payload = replace(OLD.payload::text, gone, tombstone)::jsonb
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'domain events are append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER dicee_domain_events_are_append_only BEFORE UPDATE OR DELETE ON dicee_gameevent
    FOR EACH ROW EXECUTE FUNCTION dicee_guard_domain_events();
"""
UNGUARD = """
DROP TRIGGER dicee_domain_events_are_append_only ON dicee_gameevent;
DROP FUNCTION dicee_guard_domain_events();
"""


def _on_postgresql(sql):
    def run(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(sql, params=None)

    return run


class Migration(migrations.Migration):
    dependencies = [("dicee", "0001_initial")]
    operations = [migrations.RunPython(_on_postgresql(GUARD), _on_postgresql(UNGUARD))]
