from django.test import Client

from apps.jobs.models import Job


def test_everything_that_is_kept_is_in_the_file(alice) -> None:
    client, player = alice
    job = Job.objects.create(owner=player, kind="any", document={"a": 1}, result={"b": 2}, state="done")
    response = client.get("/account/export/")
    assert response["Content-Disposition"] == 'attachment; filename="oddsmith-my-data.json"'
    data = response.json()
    assert data["profile"] == {
        "id": str(player.id),
        "pseudonym": "Alice",
        "username": None,
        "settings": {},
        "createdAt": player.created_at.isoformat(),
        "lastSeen": player.last_seen.isoformat(),
    }
    assert data["jobs"] == [
        {
            "id": str(job.id),
            "kind": "any",
            "state": "done",
            "createdAt": job.created_at.isoformat(),
            "document": {"a": 1},
            "result": {"b": 2},
            "error": None,
        }
    ]


def test_an_app_adds_its_section(bob, section) -> None:
    client, _ = bob
    section("games", export=lambda owner: [owner.pseudonym])
    data = client.get("/account/export/").json()
    assert data["games"] == ["Bob"]
    assert data["profile"]["username"] == "Bob"


def test_nothing_of_another_player_is_in_it(alice, bob) -> None:
    Job.objects.create(owner=alice[1], kind="any", document={})
    assert bob[0].get("/account/export/").json()["jobs"] == []


def test_a_visitor_has_nothing_to_export(visitor: Client) -> None:
    assert visitor.get("/account/export/").status_code == 404
