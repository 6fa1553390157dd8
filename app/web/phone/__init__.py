"""The phone page: a phone in a browser, and the numbers that one can be on it."""

# The first three are set aside for fiction by the plans of North America and the United Kingdom; their area codes tell
# the assistant a time zone, as those of real numbers would.
LABELS = {"+12065550100": "Seattle", "+12125550101": "New York", "+442079460018": "London", "+919000000001": "India"}

NUMBERS = tuple(LABELS)  # The first is who `keepsake text` and the phone page are until somebody says otherwise.
