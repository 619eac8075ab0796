"""Random pseudonyms: two words and a number, so that a guest has a name and we know nothing about them."""

from __future__ import annotations

import secrets

QUALITIES = """
    Amber Ample Bold Brisk Bronze Calm Candid Canny Clever Copper Coral Cosmic Crisp Curious Daring Deft Dusky Eager
    Early Fabled Fearless Fleet Frosty Gentle Gilded Glad Golden Grand Happy Hardy Hazel Honest Humble Ivory Jade Jolly
    Keen Kind Lively Loyal Lucky Lunar Mellow Merry Mighty Misty Modest Nimble Noble Olive Patient Placid Plucky Polite
    Proud Quick Quiet Rapid Ready Rosy Ruby Rustic Sage Scarlet Serene Sharp Silent Silver Sincere Smooth Snowy Solar
    Spry Stable Steady Stoic Sturdy Sunny Swift Tidy Tranquil Trusty Upbeat Valiant Velvet Vivid Warm Wise Witty Zesty
""".split()  # noqa: SIM905

CREATURES = """
    Alpaca Badger Beaver Bison Bittern Bobcat Buzzard Caribou Cheetah Chough Civet Condor Cormorant Coyote Crane Curlew
    Dingo Dolphin Dormouse Dunlin Eagle Egret Ermine Falcon Ferret Finch Flamingo Fox Gannet Gazelle Gecko Genet Gibbon
    Godwit Goshawk Grebe Hare Harrier Hedgehog Heron Hoopoe Ibex Ibis Impala Jackdaw Jaguar Jay Kestrel Kingfisher Kite
    Lapwing Lark Lemur Leopard Linnet Llama Lynx Magpie Marmot Marten Merlin Mole Moose Newt Ocelot Okapi Osprey Otter
    Owl Panda Pelican Petrel Pika Plover Puffin Quail Raven Redshank Robin Salmon Seal Shrew Siskin Sparrow Stoat Stork
    Swallow Tapir Tern Thrush Toucan Turtle Vole Wagtail Walrus Weasel Whale Wolf Wombat Wren Yak Zebra
""".split()  # noqa: SIM905


def random_pseudonym() -> str:
    """About eight million names; two players may share one, an id tells them apart."""
    return f"{secrets.choice(QUALITIES)} {secrets.choice(CREATURES)} {secrets.randbelow(900) + 100}"
