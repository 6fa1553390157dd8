"""The phone page: a phone in a browser, with a choice of numbers to text from."""

# The numbering plans of North America and the United Kingdom reserve the first three for fiction; their area codes give
# the assistant a time zone, as real numbers would.
LABELS = {"+12065550100": "Seattle", "+12125550101": "New York", "+442079460018": "London", "+919000000001": "India"}

NUMBERS = tuple(LABELS)  # The first is the default of `keepsake text` and the phone page.
