"""The loop of model calls and tool calls that ends with a whole answer, or with a kind sentence.

Each step is stored as it happens, so a turn that resumes after a crash repeats no call.
"""

import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from app import prompts
from app.conversation import budget, claims
from app.conversation.claim import OpenTurn, owns_turn
from app.conversation.context import Context, block
from app.conversation.finish import Reply, end_trouble, is_model_in_trouble
from app.conversation.memory_shown import estimate_tokens, load_memory
from app.errors import ContextTooLong, ModelDown, ModelError, OverBudget, Overtaken, RequestRefused, ThinkingRefused
from app.memory.changes import has_changed_in
from app.memory.episodes import text_of
from app.models import ModelAnswer, ToolCall, Turn
from app.services import Services
from app.services.model import ModelRequest
from app.services.tool import CallMade
from app.store.faultpoints import reach
from app.text import kind_words
from app.tools.context import ToolContext
from app.tools.recall import texts_of
from app.tools.registry import own_tools
from app.tools.registry import run as run_tool

if TYPE_CHECKING:
    from anthropic.types import Message as ModelMessage

logger = logging.getLogger(__name__)

MAX_MODEL_CALLS = 6
MAX_TOOL_CALLS = 8
SLOW_TRIES = 2  # After every two timeouts, a small question shows if the model is slow or only this request.
_TEXT_TAG = re.compile(r'<text at="[^"]*">|</text>')
_THOUGHTS_AS_TEXT = re.compile(r"\A\s*<think>.*?(</think>|\Z)", re.DOTALL)  # Of local servers without a parser.
_CALL_AS_TEXT = re.compile(  # Of the same servers: a call that nothing ran, and that nobody shall read.
    r"<(tool_call|function)\b[^>]*>.*?(?:</\1>|\Z)|\[TOOL_CALLS\].*"
    r'|\A\s*(?:```\w*\s*)?\[?\{\s*(?:"type":\s*"function",\s*)?"name":.*',
    re.DOTALL,
)
_CALLED = re.compile(r'(?:"name":\s*"|<function=|\[TOOL_CALLS\]\s*)(\w+)')
FAULTY_TRIES = 6  # The same for other errors, which pass by themselves more often: six tries take over three minutes.


def converse(services: Services, turn: OpenTurn, context: Context) -> Reply:
    """The reply to the turn: the model's whole final answer, or a kind sentence with the reason as its outcome.

    Raises:
        ModelDown: the model answers nobody now, and the turn can wait.
        RequestRefused: the turn can wait until the operator has fixed the cause.
        OverBudget: today's budget has no room for it, and the turn can wait.
    """
    return _Talk(services, turn, context).until_answered()


def apology(services: Services, turn: OpenTurn) -> str:
    """The apology for a missing answer; it says if the turn changed anything before the failure."""
    with services.reading() as db:
        return kind_words.apology(changed=has_changed_in(db, turn.person_id, turn.id))


class _Talk:
    """One turn's exchange with the model: its state and its costs so far."""

    def __init__(self, services: Services, turn: OpenTurn, context: Context) -> None:
        self._services = services
        self._turn = turn
        self._context = context
        shown = context.memory.block
        self._reply = Reply(model=services.model.name, memory_shown=shown, memory_tokens=context.memory_tokens)
        self._kept_answers, self._kept_calls = _stored_steps(services, turn)
        self._answers = 0
        self._server_uses = 0
        """Uses of the tool that runs on the model's server."""
        self._said_between = ""
        self._has_lost_call = False
        """True if an answer may have held a call that did not run."""
        self._left_out: set[type[ModelError]] = set()
        """Errors after which part of the context was left out."""
        self._asked_again: set[str] = set()
        self._fallback: tuple[str, str] | None = None
        """The text and outcome to end with if the model cannot be asked again."""

    def until_answered(self) -> Reply:
        try:
            while self._reply.model_calls < MAX_MODEL_CALLS:
                answer = self._ask()
                if answer is not None and self._take(answer):
                    return self._reply
        except (ModelError, OverBudget) as error:
            logger.warning("No answer in turn %s: %s", self._turn.id, error)
            if self._fallback:
                return self._end_with(*self._fallback)
            # Somebody at a terminal is waiting for the answer.
            if self._turn.carrier != "terminal" and self._is_worth_waiting(error):
                raise
            if isinstance(error, OverBudget):
                return self._end_with(budget.budget_spent_sentence(self._services, self._turn), error.code)
            return self._end_with(apology(self._services, self._turn), error.code)
        return self._end_with(apology(self._services, self._turn), "too_many_calls")

    def _ask(self) -> "ModelMessage | None":
        """The model's next message, or None if the request has to be repeated with less context."""
        self._reply.model_calls += 1
        if self._answers < len(self._kept_answers):  # The model said it before this turn was interrupted.
            answer, seconds = self._kept_answers[self._answers]
        else:
            try:
                answered = self._ask_within_budget()
            except (ContextTooLong, ThinkingRefused) as error:
                self._leave_out(error)
                return None
            reach("model.answered")
            _keep_answer(self._services, self._turn, self._answers + 1, answered)
            reach("answer.kept")
            answer, seconds = answered.answer, answered.seconds
        self._answers += 1
        self._reply.model_seconds += seconds
        self._account_for(answer)
        return answer

    def _ask_within_budget(self) -> budget.Answered:
        """The model's answer; its server's tool is left out if the budget has no room for the tool's possible cost."""
        try:
            return budget.ask(self._services, self._turn, self._request())
        except OverBudget:
            if self._context.server_tool is None or self._server_uses:
                raise
            self._context = replace(self._context, server_tool=None).without_thoughts()
            return budget.ask(self._services, self._turn, self._request())

    def _request(self) -> ModelRequest:
        """The next request; it allows no tools once the calls of ours, or the uses of the server's, are used up."""
        last = self._reply.model_calls == MAX_MODEL_CALLS or len(self._reply.tool_calls) >= MAX_TOOL_CALLS
        tool = self._context.server_tool
        return self._context.request(tools_allowed=not last and (tool is None or self._server_uses < tool.max_uses))

    def _take(self, answer: "ModelMessage") -> bool:
        """True if the answer ends the turn. Tools run only if the model stopped to call them."""
        text = _words_of(answer, {tool["name"] for tool in self._context.tools})
        self._has_lost_call = self._has_lost_call or _may_lose_call(answer, text)
        match answer.stop_reason:
            case "tool_use":
                self._said_between = text or self._said_between
                self._run_tools(answer)
            case "pause_turn":
                self._go_on_after(answer)
            case "model_context_window_exceeded":
                self._leave_out(ContextTooLong())
            case "end_turn" | "stop_sequence":
                return self._settle(answer, text or self._said_between)
            case "max_tokens" if _to_send_back(answer)["content"] and not text:
                return self._ask_for_words(answer)
            case "max_tokens":
                note = prompts.render("shorten")
                return self._ask_once_more("shorten", answer, note, kind_words.TOO_LONG, "max_tokens")
            case "refusal":
                self._end_with(kind_words.REFUSED, "refusal")
                return True
            case _:
                raise ModelError(f"The model stopped for a reason that is not known: {answer.stop_reason!r:.40}.")
        return False

    def _settle(self, answer: "ModelMessage", text: str) -> bool:
        """End with the text if there is one and it claims nothing that was not done; else ask the model once more."""
        if not text and _to_send_back(answer)["content"]:
            return self._ask_for_words(answer)
        untrue = claims.untrue_claims(text, self._reply.tool_calls, own_tools(self._services))
        if not untrue:
            self._end_with(text) if text else self._end_with(*self._nothing_to_say())
            return True
        corrected = claims.without_claims(text, untrue)
        note = prompts.render("correct_claim", claim=untrue[0].sentence)
        return self._ask_once_more("claim", answer, note, corrected, "claim_corrected")

    def _ask_for_words(self, answer: "ModelMessage") -> bool:
        """Ask again: an answer of thoughts alone, or of a call that did not run, has nothing for the person to read."""
        return self._ask_once_more("speak", answer, prompts.render("speak"), *self._nothing_to_say())

    def _nothing_to_say(self) -> tuple[str, str]:
        """Text and outcome for an answer without words: a kind sentence if the person texted, silence for a routine."""
        if self._has_lost_call:  # "Okay." would promise what it was to do.
            return apology(self._services, self._turn), ModelError.code
        return (kind_words.NOTHING_TO_SAY, "replied") if self._turn.routine is None else ("", Turn.SILENT)

    def _ask_once_more(self, why: str, answer: "ModelMessage", note: str, otherwise: str, outcome: str) -> bool:
        """Ask the model to correct its answer, once for each reason; after that `otherwise` is the answer."""
        if why in self._asked_again or self._reply.model_calls >= MAX_MODEL_CALLS:
            self._end_with(otherwise, outcome)
            return True
        self._asked_again.add(why)
        self._fallback = (otherwise, outcome)
        self._go_on_after(answer)
        self._context = self._context.with_messages({"role": "user", "content": [block(note)]})
        return False

    def _go_on_after(self, answer: "ModelMessage") -> None:
        """Append the model's message to the context, so that the turn can continue.

        Tool calls go in only if they ran. An answer stored before this turn was interrupted belongs to another request.
        For that, and for an answer that was cut off or lost its calls, all thoughts are left out.
        """
        message = _to_send_back(answer)
        kept = [one for one in message["content"] if one["type"] != "tool_use" or answer.stop_reason == "tool_use"]
        is_cut = answer.stop_reason == "max_tokens" or kept != message["content"]
        self._context = self._context.with_messages(*([{**message, "content": kept}] if kept else []))
        if is_cut or self._answers <= len(self._kept_answers):
            self._context = self._context.without_thoughts()

    def _leave_out(self, error: ContextTooLong | ThinkingRefused) -> None:
        """Shorten the context by the part that the model refused, once for each reason."""
        if type(error) in self._left_out:
            raise error
        self._left_out.add(type(error))
        is_long = isinstance(error, ContextTooLong)
        self._context = self._context.with_shorter_history() if is_long else self._context.without_thoughts()

    def _is_worth_waiting(self, error: ModelError | OverBudget) -> bool:
        if isinstance(error, OverBudget):
            return not (error.is_spent and self._answers)
        return isinstance(error, RequestRefused) or (isinstance(error, ModelDown) and not self._fails_only_here(error))

    def _fails_only_here(self, error: ModelDown) -> bool:
        """True if the model answers others, but times out or fails on this turn again and again."""
        if error.is_lasting or error.retry_after_seconds is not None:  # The server says that the cause is its own.
            return False
        tries, often = self._turn.tries, SLOW_TRIES if error.timed_out else FAULTY_TRIES
        return tries > 0 and tries % often == 0 and budget.is_model_there(self._services, self._turn)

    def _run_tools(self, answer: "ModelMessage") -> None:
        results: list[dict[str, Any]] = []
        updated = False
        for asked in answer.content:
            if asked.type != "tool_use":
                continue
            call = self._run_one(asked.name, asked.input)
            updated = updated or call.memory_updated
            failed = {"is_error": True} if call.is_error else {}
            results.append({"type": "tool_result", "tool_use_id": asked.id, "content": call.result, **failed})
        if updated:
            turn, preferred = self._turn, self._context.memory.preferred
            memory = load_memory(self._services, turn.person_id, preferred, memory_on=turn.memory_on)
            # The block cannot go into `system`, because the model's thoughts are bound to that. Some servers would
            # move a text that follows the results to the front of them.
            results[-1]["content"] = [{"type": "text", "text": one} for one in (results[-1]["content"], memory.block)]
            self._reply.memory_shown = memory.block
            self._reply.memory_tokens += estimate_tokens(memory.block)
        self._go_on_after(answer)
        self._context = self._context.with_messages({"role": "user", "content": results})

    def _run_one(self, name: str, given: object) -> CallMade:
        if len(self._reply.tool_calls) >= MAX_TOOL_CALLS:
            said = f"This turn has made its {MAX_TOOL_CALLS} tool calls: this one was not run. Answer the person now."
            return CallMade(name, {}, said, is_error=True)
        ordinal = len(self._reply.tool_calls) + 1
        if ordinal <= len(self._kept_calls):
            call = self._kept_calls[ordinal - 1]
        else:
            is_offered = any(tool["name"] == name for tool in self._context.tools)
            with self._services.span("tool", tool=name if is_offered else "unknown") as span:
                call = run_tool(self._tool_context(ordinal, name), name, given)
                span.note(outcome="error" if call.is_error else "ok")
            reach("tool.ran")
            call = self._services.apply_hooks(self._turn, "on_tool_result", call)
            _keep_call(self._services, self._turn, ordinal, call)
            reach("call.kept")
        self._reply.tool_calls.append(call)
        return call

    def _tool_context(self, ordinal: int, name: str) -> ToolContext:
        tools = own_tools(self._services)
        found = [text for answered in self._reply.searches for text in texts_of(answered)]
        offered = {tool["name"] for tool in self._context.tools}
        # A tool that the model made up brings nothing; one that gave an answer was offered at that time.
        ran = [call.name for call in self._reply.tool_calls if call.name in offered or not call.is_error]
        return ToolContext(
            services=self._services,
            person_id=self._turn.person_id,
            turn_id=self._turn.id,
            call=f"{self._turn.id}:{ordinal}:{name}",
            is_again=self._turn.attempt > 1,
            texts=self._turn.texts,
            memory_on=self._turn.memory_on,
            deadline=self._turn.deadline,
            is_routine=self._turn.routine is not None,
            brought_back=[*(text_of(one.episode) for one in self._context.recalled), *found],
            asked=self._context.last_said,
            others_were_read=self._server_uses > 0
            or any(name not in tools or tools[name].brings_others_words for name in ran),
        )

    def _end_with(self, text: str, outcome: str = "replied") -> Reply:
        self._reply.text, self._reply.outcome = text, outcome
        return self._reply

    def _account_for(self, answer: "ModelMessage") -> None:
        usage = answer.usage
        if usage is not None:  # Local servers leave it out.
            self._reply.input_tokens += usage.input_tokens or 0
            self._reply.output_tokens += usage.output_tokens or 0
            self._reply.cache_read_tokens += usage.cache_read_input_tokens or 0
            self._reply.cache_write_tokens += usage.cache_creation_input_tokens or 0
        self._reply.cost_cents += self._services.model.cost_cents(answer)
        self._server_uses += sum(one.type == "server_tool_use" for one in answer.content)
        if isinstance(answer.model, str):  # A second model may have answered.
            self._reply.model = answer.model


def _words_of(answer: "ModelMessage", tools: set[str]) -> str:
    """The text of the answer, without the model's thoughts and without what it says before its server's last look-up.

    An answer with citations comes in pieces that break in mid-sentence, so they are joined without a line break.
    The `<text>` tag around earlier texts is ours; it is removed because a model may imitate it. Of calls as text only
    those of our `tools` are removed: a person may ask how such a call is written.
    """
    searched = [at for at, one in enumerate(answer.content) if one.type.endswith("_tool_result")]
    said = [one for one in answer.content[searched[-1] + 1 if searched else 0 :] if one.type == "text"]
    words = "".join(one.text for one in said) if searched else "\n".join(one.text.strip() for one in said)
    words = _THOUGHTS_AS_TEXT.sub("", words)
    words = _CALL_AS_TEXT.sub(lambda found: found[0] if tools.isdisjoint(_CALLED.findall(found[0])) else "", words)
    return _TEXT_TAG.sub("", words).strip()


def _may_lose_call(answer: "ModelMessage", text: str) -> bool:
    """True if a call in the answer does not run: it stands beside another reason to stop, is text, or was cut off."""
    is_called = any(one.type == "tool_use" for one in answer.content)
    is_text_or_cut = not text and (answer.stop_reason == "max_tokens" or _words_of(answer, set()) != "")
    return answer.stop_reason != "tool_use" and (is_called or is_text_or_cut)


def _to_send_back(answer: "ModelMessage") -> dict[str, Any]:
    """The model's message in the form to send back: unchanged, but without empty texts, which the API refuses."""
    said = (one for one in answer.content if one.type != "text" or one.text.strip())
    blocks = [one.to_dict(mode="json", warnings=False) for one in said]
    for sent in blocks:
        if sent["type"] == "tool_use" and not isinstance(sent["input"], dict):
            sent["input"] = {}  # Local servers pass on input that they could not parse, but accept only an object.
    return {"role": "assistant", "content": blocks, "model": answer.model}


def _stored_steps(services: Services, turn: OpenTurn) -> "tuple[list[tuple[ModelMessage, float]], list[CallMade]]":
    """Steps stored before the turn's process died or the model went down; nearly every turn has none.

    Returns the model's answers, each with the seconds it took, and the tool calls, both in order.
    """
    if not turn.taken_up:
        return [], []
    with services.reading() as db:
        said = select(ModelAnswer).where(ModelAnswer.turn_id == turn.id).order_by(ModelAnswer.ordinal)
        answers = db.scalars(said).all()
        if not answers:
            return [], []
        calls = db.scalars(select(ToolCall).where(ToolCall.turn_id == turn.id).order_by(ToolCall.ordinal)).all()
    from anthropic.types import Message as ModelMessage  # noqa: PLC0415  (it takes most of a second to load)

    said_before = [(ModelMessage.construct(**kept.answer), kept.seconds) for kept in answers]
    return said_before, [CallMade(call.name, call.input, call.result, call.is_error) for call in calls]


def _keep_answer(services: Services, turn: OpenTurn, ordinal: int, answered: budget.Answered) -> None:
    """Store the model's answer and its cost before acting on it.

    Raises:
        Overtaken: another process has taken the turn over; the cost is stored all the same.
    """
    now = services.clock.now()
    said = answered.answer.to_dict(mode="json", warnings=False)
    with services.transaction(turn.person_id) as db:
        answered.settle(db)
        is_ours = owns_turn(db, turn)
        if is_ours:
            db.add(ModelAnswer(turn_id=turn.id, ordinal=ordinal, answer=said, seconds=answered.seconds, at=now))
        was_in_trouble = is_model_in_trouble(db)
    if not is_ours:
        raise Overtaken
    if was_in_trouble:
        end_trouble(services, turn, now)


def _keep_call(services: Services, turn: OpenTurn, ordinal: int, call: CallMade) -> None:
    """Store a tool call with its result.

    Raises:
        Overtaken: another process has taken the turn over.
    """
    now = services.clock.now()
    with services.transaction(turn.person_id) as db:
        if not owns_turn(db, turn):
            raise Overtaken
        db.add(ToolCall(turn_id=turn.id, ordinal=ordinal, at=now, **call.columns()))
