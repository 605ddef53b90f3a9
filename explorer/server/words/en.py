"""Why a question is not taken."""

REFUSALS = {
    "large": "A question has at most {bytes} bytes.",
    "foreign": "A page of another site cannot ask here.",
    "slow": "The question did not come within {seconds} seconds.",
    "json": "A question is sent as JSON, with the content type application/json.",
    "malformed": "This is no question: {fault}",
    "language": "The language must be one of {languages}.",
}
