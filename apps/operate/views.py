"""How the site and the product do, for whoever runs it."""

from __future__ import annotations

from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.core import doctor
from apps.operate import figures as product
from apps.operate.gauges import measure
from apps.operate.services import invariants


@staff_member_required
def figures(request: HttpRequest) -> HttpResponse:
    context = {
        "stages": product.stages(),
        "measures": product.measures(),
        "fewest": product.FEWEST,
        "check": invariants.last_check(),
        "findings": list(doctor.examine()),
        "figures": [(meaning, key, value) for _name, meaning, _label, values in measure() for key, value in values],
    }
    return render(request, "operate/figures.html", context)
