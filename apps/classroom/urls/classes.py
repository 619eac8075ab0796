"""Addresses of the landing page, classes, students, assignments."""

from django.urls import URLPattern, path

from apps.classroom.views import assignments, classes, students, undo

CLASS = "<uuid:class_id>/"
STUDENT = f"{CLASS}students/<uuid:member_id>/"
ASSIGNMENT = f"{CLASS}assignments/<uuid:assignment_id>/"

urlpatterns: list[URLPattern] = [
    path("", classes.home, name="home"),
    path("new/", classes.new, name="class-new"),
    path("undo/<slug:kind>/<uuid:pk>/", undo.undo, name="undo"),
    path("join/", students.join, name="join"),
    path("join/<slug:code>/", students.join, name="join"),
    path("return/", students.come_back, name="return"),
    path(CLASS, classes.show, name="class"),
    path(f"{CLASS}edit/", classes.edit, name="class-edit"),
    path(f"{CLASS}code/", classes.code, name="class-code"),
    path(f"{CLASS}code/renew/", classes.renew_code, name="class-code-renew"),
    path(f"{CLASS}delete/", classes.delete, name="class-delete"),
    path(f"{CLASS}offer/", classes.offer, name="class-offer"),
    path(f"{CLASS}take-over/", classes.take_over, name="class-take-over"),
    path(f"{CLASS}notices/", classes.put_notices_away, name="class-notices"),
    path(f"{CLASS}sign-out/", students.sign_out, name="student-sign-out"),
    path(f"{CLASS}key/", students.renew_key, name="student-key"),
    path(f"{CLASS}play/", students.play, name="student-play"),
    path(f"{CLASS}leave/", students.leave, name="student-leave"),
    path(f"{CLASS}mine.json", students.export, name="student-export"),
    path(f"{STUDENT}approve/", classes.approve, name="student-approve"),
    path(f"{STUDENT}decline/", classes.decline, name="student-decline"),
    path(f"{STUDENT}remove/", classes.remove, name="student-remove"),
    path(f"{STUDENT}erase/", classes.erase, name="student-erase"),
    path(f"{STUDENT}rename/", classes.rename, name="student-rename"),
    path(f"{STUDENT}reset/", classes.reset, name="student-reset"),
    path(f"{CLASS}assignments/new/<slug:task>/", assignments.new, name="assignment-new"),
    path(ASSIGNMENT, assignments.show, name="assignment"),
    path(f"{ASSIGNMENT}edit/", assignments.edit, name="assignment-edit"),
    path(f"{ASSIGNMENT}delete/", assignments.delete, name="assignment-delete"),
    path(f"{ASSIGNMENT}results.csv", assignments.csv, name="assignment-csv"),
    path(f"{ASSIGNMENT}play/", assignments.play, name="assignment-play"),
    path(f"{ASSIGNMENT}answer/", assignments.answer, name="assignment-answer"),
]
