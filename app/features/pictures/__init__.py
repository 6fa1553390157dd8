"""Files that come with texts: pictures fetched from Twilio for the model to see, all others only named."""

from app.features.pictures.files import files_of, history_marks
from app.services.feature import Feature

PICTURES = Feature("pictures", files=files_of, file_marks=history_marks)
