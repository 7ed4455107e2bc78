
 RUN  v5.1.0 /tmp/w/s21

 ✓ |fast| test/unit/pipeline/used-bill.test.ts (7 tests) 170ms
 ✓ |fast| test/package.test.ts (48 tests) 4795ms
   ✓ importing (5)
     ✓ tollgate says nothing, warns of nothing and starts nothing 304ms
     ✓ tollgate,tollgate/route,tollgate/portal,tollgate/testing,tollgate/ai-sdk,tollgate/backends/gardener,tollgate/backends/http,tollgate/backends/local,tollgate/backends/openstack,tollgate/backends/s3,tollgate/caches/memory,tollgate/caches/redis,tollgate/counters/memory,tollgate/counters/redis,tollgate/prices/catalogue,tollgate/providers/anthropic,tollgate/providers/bedrock,tollgate/providers/cohere,tollgate/providers/compatible,tollgate/providers/gemini,tollgate/providers/llama-cpp,tollgate/providers/local,tollgate/providers/openai,tollgate/providers/systemone,tollgate/providers/vertex,tollgate/stores/memory,tollgate/stores/postgres,tollgate/stores/sqlite,tollgate/telemetry/opentelemetry,tollgate/tokens/tiktoken,tollgate/vectors/embedded,tollgate/vectors/pgvector says nothing, warns of nothing and starts nothing 804ms
     ✓ tollgate reads no more than its size allows and only the packages that every program needs 674ms
 ✓ |fast| test/property/conversations.test.ts (110 tests) 19452ms
   ✓ anthropic: a conversation that goes there and comes back (5)
     ✓ loses nothing that is not named in a warning 659ms
     ✓ warns of nothing that is kept 425ms
     ✓ gains nothing 320ms
     ✓ keeps its order, but for messages that a warning says are moved 355ms
   ✓ anthropic with system turns: a conversation that goes there and comes back (5)
     ✓ loses nothing that is not named in a warning 300ms
     ✓ gains nothing 395ms
     ✓ keeps its order, but for messages that a warning says are moved 558ms
     ✓ is said to be moved only where something stood before 342ms
   ✓ bedrock: a conversation that goes there and comes back (5)
     ✓ gains nothing 351ms
   ✓ gemini: a conversation that goes there and comes back (5)
     ✓ loses nothing that is not named in a warning 513ms
     ✓ warns of nothing that is kept 331ms
     ✓ is said to be moved only where something stood before 385ms
   ✓ cohere: a conversation that goes there and comes back (5)
     ✓ loses nothing that is not named in a warning 330ms
 ✓ |fast| test/property/portal-scope.test.ts (1 test) 18014ms
   ✓ whoever calls what in whatever order: no answer holds, and no change touches, what lies outside the caller's scope 17910ms
 ✓ |fast| test/property/odd-answers.test.ts (2 tests) 13961ms
   ✓ a whole answer that is odd in one place is what its type says, or is the vendor's fault, so that the next target is asked 6990ms
   ✓ and so is a stream with an event that is odd in one place 6969ms
 ✓ |fast| test/property/summed-usage.test.ts (2 tests) 10600ms
   ✓ parts of days are summed from whole hours as from single requests, through rolls, restarts, upgrades and pruning 3534ms
   ✓ days that are most of a month are summed as the month less the others, through rolls, restarts and what comes late 6872ms
 ✓ |fast| test/property/cached-calls.test.ts (13 tests) 7123ms
   ✓ an answer kept for the same question is never given (5)
     ✓ outside its scope 594ms
     ✓ for another model 604ms
     ✓ for other parameters 443ms
     ✓ for other numbers or negations 426ms
     ✓ for another text, unless it says that it is similar 472ms
   ✓ an answer kept for similar questions, all embeddings the same is never given (5)
     ✓ outside its scope 590ms
     ✓ for another model 654ms
     ✓ for other parameters 441ms
     ✓ for other numbers or negations 432ms
     ✓ for another text, unless it says that it is similar 500ms
   ✓ a question that was asked before in its scope is not asked again, whole or streamed 950ms
   ✓ what failed, was cut off or was not read to its end is never given again 723ms
 ✓ |fast| test/property/family-round-trips.test.ts (46 tests) 9657ms
   ✓ anthropic: an answer that the client hands back (9)
     ✓ streamed (4)
       ✓ keeps its text 391ms
       ✓ keeps its calls with their ids, names and arguments 312ms
       ✓ keeps its reasoning with signatures, data and identifiers byte for byte 314ms
   ✓ genai without thoughts: an answer that the client hands back (9)
     ✓ whole and streamed are the same answer 330ms
   ✓ responses: an answer that the client hands back (9)
     ✓ streamed (4)
       ✓ keeps its text 341ms
 ✓ |fast| test/property/consumed-calls.test.ts (6 tests) 6432ms
   ✓ calls in parts, spliced streams and races, under hard budgets (6)
     ✓ tell by their events what each of them cost, as the ledger has it 949ms
     ✓ are billed all that was answered, and every word that was said 845ms
     ✓ are billed the prompt of every stream that had begun, and of no other but those that lost a race 1439ms
     ✓ never spend more than a level may 1108ms
     ✓ leave nothing reserved, and end every reservation once 1001ms
     ✓ cost what the counters were charged, to the nano-dollar, in one row each 1088ms
 ✓ |fast| test/property/governed-calls.test.ts (7 tests) 7263ms
   ✓ budgets under concurrent calls, fallbacks, failures and aborts (7)
     ✓ hard: no level's spending ever passes its limit 1367ms
     ✓ soft: a level overshoots by what was in flight at most 958ms
     ✓ every reservation is settled exactly once, and nothing stays reserved 690ms
     ✓ the counters and the ledger agree to the nano-dollar 1117ms
     ✓ every request has exactly one ledger entry, refused and aborted ones too 1045ms
     ✓ an entry's items sum to its cost 1215ms
     ✓ alone, a call is refused only when the limit would really be passed 867ms
 ✓ |fast| test/property/routing.test.ts (14 tests) 6680ms
   ✓ routing, whole (7)
     ✓ asks nobody that the request does not name 433ms
     ✓ asks in the order of the plan 574ms
     ✓ asks no target more often than once and its retries 387ms
     ✓ serves only what the last target asked really said, whole 373ms
     ✓ settles every request exactly once and leaves neither timer nor call behind 447ms
     ✓ never takes longer than the deadline 448ms
     ✓ is the same every time it is run 898ms
   ✓ routing, streamed (7)
     ✓ asks nobody that the request does not name 427ms
     ✓ asks in the order of the plan 518ms
     ✓ asks no target more often than once and its retries 311ms
     ✓ serves only what the last target asked really said, whole 372ms
     ✓ settles every request exactly once and leaves neither timer nor call behind 415ms
     ✓ never takes longer than the deadline 446ms
     ✓ is the same every time it is run 619ms
 ✓ |fast| test/property/family-calls.test.ts (18 tests) 5465ms
   ✓ anthropic: calls in any pieces, at any index, shuffled into each other and into text (3)
     ✓ every call is whole, with its own id and name 355ms
     ✓ no call is told twice or left out 353ms
     ✓ text is whole and in its order 362ms
   ✓ genai: calls in any pieces, at any index, shuffled into each other and into text (3)
     ✓ every call is whole, with its own id and name 552ms
     ✓ text is whole and in its order 304ms
   ✓ genai without thoughts: calls in any pieces, at any index, shuffled into each other and into text (3)
     ✓ every call is whole, with its own id and name 324ms
   ✓ cohere: calls in any pieces, at any index, shuffled into each other and into text (3)
     ✓ text is whole and in its order 341ms
   ✓ responses: calls in any pieces, at any index, shuffled into each other and into text (3)
     ✓ every call is whole, with its own id and name 373ms
     ✓ text is whole and in its order 413ms
   ✓ responses has arguments as text: they are kept byte for byte 351ms
 ✓ |fast| test/property/killed-gateway.test.ts (2 tests) 3412ms
   ✓ a gateway that dies counts on as the one that lives, whatever calls overlapped, windows ended and counters were written before 1740ms
   ✓ at any moment a gateway that dies counts on with all that was used, without what is reserved for calls under way 1628ms
 ✓ |fast| test/property/aborted-streams.test.ts (3 tests) 2612ms
   ✓ a caller who stops at any chunk (signal) makes exactly one row, billed for what was consumed 1304ms
   ✓ a caller who stops at any chunk (break) makes exactly one row, billed for what was consumed 1299ms
 ✓ |fast| test/property/telemetry.test.ts (2 tests) 3155ms
   ✓ each request is counted once and is one span, each time a provider is asked one try below it 1399ms
   ✓ no try of a request is told after its end, hedged or not, whoever leaves 1755ms
 ✓ |fast| test/property/begun-calls.test.ts (3 tests) 2521ms
   ✓ whole answers that begin are billed what was read, once, whatever becomes of them, and no other answer is 1057ms
   ✓ cost what the counters were charged, in one row each, and leave nothing reserved 835ms
   ✓ events tell what each call cost with all its tries, as the ledger has it 627ms
 ✓ |fast| test/architecture.test.ts (80 tests) 3021ms
   ✓ exports are named (4)
     ✓ holds 972ms
   ✓ names say what a thing is: no manager, … (10)
     ✓ holds 1319ms
   ✓ src outside cli reaches for no clock, c… (13)
     ✓ holds 538ms
 ✓ |fast| test/property/told-usage.test.ts (10 tests) 2051ms
   ✓ what a provider says that it used (10)
     ✓ never spoils the books, whatever it is (sqlite, chat) 302ms
     ✓ never spoils the books, whatever it is (sqlite, stream) 315ms
     ✓ never spoils the books, whatever it is (sqlite, embed) 322ms
     ✓ never spoils the books, whatever it is (sqlite, rerank) 345ms
 ✓ |fast| test/property/family-http.test.ts (19 tests) 2438ms
   ✓ /openai/v1/chat/completions: a valid request with anything anywhere: never a 500, whole and streamed 302ms
   ✓ /genai/v1beta/models/local/echo:generateContent: a valid request with anything anywhere: never a 500, whole and streamed 552ms
 ✓ |fast| test/property/pruned-ledger.test.ts (1 test) 2143ms
   ✓ what is appended while the ledger is pruned is found by its day, and is in the sums if and only if it is kept or they are 2142ms
 ✓ |fast| test/property/ai-scope.test.ts (2 tests) 2303ms
   ✓ no answer of the AI area shows, and no change touches, what lies outside the caller's place: memory 1770ms
   ✓ no answer of the AI area shows, and no change touches, what lies outside the caller's place: sqlite 532ms
 ✓ |fast| test/property/family-mirrors.test.ts (8 tests) 2371ms
   ✓ ours to anthropic's and back (4)
     ✓ messages, their parts and their marks for the cache are the same 386ms
     ✓ tools and the choice among them are the same 412ms
     ✓ nothing of these needs a warning 332ms
   ✓ ours to gemini's and back (4)
     ✓ messages, their parts and their marks for the cache are the same 468ms
     ✓ tools and the choice among them are the same 335ms
     ✓ nothing of these needs a warning 385ms
 ✓ |fast| test/property/backup-kills.test.ts (2 tests) 2143ms
   ✓ two processes at a time are killed at any call of any port: nothing scheduled is lost, nothing made twice, nothing left behind: memory 1329ms
   ✓ two processes at a time are killed at any call of any port: nothing scheduled is lost, nothing made twice, nothing left behind: sqlite 809ms
 ✓ |fast| test/property/task-states.test.ts (2 tests) 1956ms
   ✓ tasks move draft → running → done or failed, every other move is a conflict and changes nothing: memory 1377ms
   ✓ tasks move draft → running → done or failed, every other move is a conflict and changes nothing: sqlite 575ms
 ✓ |fast| test/property/circuit.test.ts (14 tests) 2148ms
   ✓ a circuit, whatever happens (14)
     ✓ counts exactly the failures among the last twenty outcomes 439ms
     ✓ says when it may be asked again: not a millisecond before, unless a probe ends; and by then it may 529ms
 ✓ |fast| test/property/embedded-vectors.test.ts (4 tests) 1487ms
   ✓ nothing that is kept is nearer than what is found 380ms
   ✓ a vector is found by itself, however lopsided it is 824ms
 ✓ |fast| test/property/plans.test.ts (1 test) 1486ms
   ✓ the plan that is told for a key is the one that its call follows, whatever has failed before 1485ms
 ✓ |fast| test/property/provider-streams.test.ts (24 tests) 987ms
 ✓ |fast| test/property/cohere-stream.test.ts (6 tests) 635ms
 ✓ |fast| test/property/ai-states.test.ts (2 tests) 1034ms
   ✓ keys and projects move as they are told, a project with keys stays, and calls see every move at once: memory 800ms
 ✓ |fast| test/unit/pipeline/health.test.ts (17 tests) 478ms
   ✓ circuits (12)
     ✓ after any failures followed by health, traffic is back at the primary within its longest cool-down 367ms
 ✓ |fast| test/property/ai-costs.test.ts (4 tests) 711ms
   ✓ costs by the ledger: sqlite (1)
     ✓ prices of models add up to the key's, those of keys to the project's, to the nano-dollar; costs are the ledger's 514ms
 ✓ |fast| test/property/anthropic-blocks.test.ts (5 tests) 1028ms
   ✓ a model's turn that the caller sends back (3)
     ✓ reaches the vendor with every thought, text and call as it was, in its place (stream) 356ms
   ✓ parallel tool calls in a stream (2)
     ✓ keep index, id, name and arguments in whatever order the pieces of the blocks come 331ms
 ✓ |fast| test/unit/pipeline/hard-budgets.test.ts (16 tests) 626ms
   ✓ a stream that is aborted under a hard budget (7)
     ✓ is billed an image in its prompt as what was reserved for it, counted by tokens 508ms
 ✓ |fast| test/property/bounds.test.ts (6 tests) 790ms
 ✓ |fast| test/property/calibration.test.ts (4 tests) 504ms
 ✓ |fast| test/property/bedrock-blocks.test.ts (4 tests) 649ms
 ✓ |fast| test/property/portal-rows.test.ts (465 tests) 1163ms
 ✓ |fast| test/property/dialect-tool-calls.test.ts (10 tests) 674ms
 ✓ |fast| test/property/gemini-parts.test.ts (5 tests) 1029ms
   ✓ a model's turn that the caller sends back (4)
     ✓ reaches the vendor with every signature on the part that it came with (stream) 387ms
     ✓ is the same message whole and streamed 304ms
 ✓ |fast| test/property/budgets.test.ts (5 tests) 656ms
 ✓ |fast| test/property/cost.test.ts (12 tests) 794ms
(node:9062) Error: redis://user:secret@counts is gone
(Use `node --trace-warnings ...` to show where the warning was created)
 ✓ |fast| test/property/twin-limits.test.ts (3 tests) 625ms
   ✓ limits of one owner that count the same (3)
     ✓ stand alike, each with its own maximum: no edit of one takes from another what it has used 370ms
(node:9062) Error: redis://user:secret@counts is gone
 ✓ |fast| test/unit/pipeline/failing-books.test.ts (45 tests) 728ms
 ✓ |fast| test/property/backup-schedule.test.ts (1 test) 408ms
   ✓ a backup begins at the first minute that its schedule names in its window, else with a window of a day it names 407ms
 ✓ |fast| test/unit/pipeline/models.test.ts (10 tests) 424ms
   ✓ models (10)
     ✓ any page size shows every model exactly once, in order 346ms
 ✓ |fast| test/property/replay.test.ts (5 tests) 365ms
   ✓ replaying the ledger (5)
     ✓ from what was written at any moment gives what the counters held when the process died 360ms
 ✓ |fast| test/property/decisions.test.ts (19 tests) 370ms
 ✓ |fast| test/property/http.test.ts (4 tests) 1075ms
   ✓ whatever is asked, however: never a 500, always the one error body 445ms
   ✓ random bytes on the socket break nothing: the server answers the next caller 442ms
 ✓ |fast| test/property/likeness.test.ts (1 test) 613ms
   ✓ a stream is read alike whether an event resembles one before or not 610ms
 ✓ |fast| test/property/reserved-cost.test.ts (4 tests) 473ms
   ✓ the reserved cost (4)
     ✓ is never below the bill of what stays within the bounds 469ms
 ✓ |fast| test/unit/pipeline/cache-flights.test.ts (15 tests) 431ms
 ✓ |fast| test/unit/pipeline/usage-questions.test.ts (56 tests) 552ms
 ✓ |fast| test/property/gemini-stream.test.ts (15 tests) 312ms
 ✓ |fast| test/property/anthropic-stream.test.ts (12 tests) 341ms
 ✓ |fast| test/property/said.test.ts (1 test) 572ms
   ✓ an answer without usage is estimated by all that it says: content, thoughts, refusal, names and inputs of calls 570ms
 ✓ |fast| test/property/profiles.test.ts (7 tests) 335ms
 ✓ |fast| test/property/router.test.ts (1 test) 123ms
 ✓ |fast| test/property/credential.test.ts (19 tests) 373ms
 ✓ |fast| test/property/chunk-frames.test.ts (1 test) 170ms
 ✓ |fast| test/property/read-chat.test.ts (4 tests) 269ms
 ✓ |fast| test/property/postgres-queue.test.ts (9 tests) 235ms
 ✓ |fast| test/unit/pipeline/charged-once.test.ts (5 tests) 175ms
 ✓ |fast| test/unit/pipeline/cache-keys.test.ts (15 tests) 197ms
 ✓ |fast| test/property/gemini-request.test.ts (53 tests) 199ms
 ✓ |fast| test/property/quotas.test.ts (4 tests) 231ms
 ✓ |fast| test/property/embedding-parts.test.ts (10 tests) 117ms
 ✓ |fast| test/unit/pipeline/decide-bill.test.ts (10 tests) 123ms
 ✓ |fast| test/property/anthropic-request.test.ts (55 tests) 272ms
 ✓ |fast| test/property/spread.test.ts (16 tests) 264ms
 ✓ |fast| test/unit/pipeline/unusable-bill.test.ts (23 tests) 286ms
 ✓ |fast| test/unit/pipeline/parts-bill.test.ts (12 tests) 118ms
 ✓ |fast| test/unit/pipeline/ledger-texts.test.ts (8 tests) 210ms
 ✓ |fast| test/unit/pipeline/stream.test.ts (20 tests) 121ms
 ✓ |fast| test/unit/pipeline/cache-adapters.test.ts (20 tests) 179ms
 ✓ |fast| test/unit/pipeline/refused-fields.test.ts (25 tests) 236ms
 ✓ |fast| test/unit/pipeline/retrieval.test.ts (6 tests) 91ms
 ✓ |fast| test/unit/pipeline/strange-worlds.test.ts (11 tests) 71ms
 ✓ |fast| test/property/ai-sdk.test.ts (4 tests) 215ms
 ✓ |fast| test/unit/pipeline/failing-ports.test.ts (12 tests) 104ms
 ✓ |fast| test/property/stable-prompts.test.ts (4 tests) 124ms
 ✓ |fast| test/unit/pipeline/begun-bill.test.ts (13 tests) 149ms
 ✓ |fast| test/unit/pipeline/lost-bill.test.ts (11 tests) 85ms
 ✓ |fast| test/unit/pipeline/call-options.test.ts (35 tests) 95ms
 ✓ |fast| test/unit/pipeline/splice.test.ts (13 tests) 48ms
 ✓ |fast| test/unit/pipeline/silent-counters.test.ts (8 tests) 77ms
 ✓ |fast| test/property/backup-states.test.ts (3 tests) 122ms
 ✓ |fast| test/property/cache-questions.test.ts (28 tests) 124ms
 ✓ |fast| test/unit/pipeline/splice-bill.test.ts (6 tests) 45ms
 ✓ |fast| test/unit/pipeline/keys-as-names.test.ts (9 tests) 99ms
 ✓ |fast| test/property/cache-answers.test.ts (11 tests) 116ms
 ✓ |fast| test/unit/pipeline/decide-refusals.test.ts (26 tests) 109ms
 ✓ |fast| test/unit/pipeline/resume.test.ts (11 tests) 95ms
 ✓ |fast| test/unit/pipeline/close.test.ts (6 tests) 96ms
 ✓ |fast| test/property/rerank.test.ts (9 tests) 96ms
 ✓ |fast| test/unit/pipeline/routes.test.ts (13 tests) 114ms
 ✓ |fast| test/unit/pipeline/decide-begun.test.ts (8 tests) 74ms
 ✓ |fast| test/unit/pipeline/decide.test.ts (9 tests) 54ms
(node:9061) Error: bad listener
(Use `node --trace-warnings ...` to show where the warning was created)
 ✓ |fast| test/property/windows.test.ts (10 tests) 78ms
 ✓ |fast| test/unit/pipeline/engine.test.ts (16 tests) 94ms
 ✓ |fast| test/property/order.test.ts (15 tests) 75ms
 ✓ |fast| test/unit/pipeline/stream-defects.test.ts (5 tests) 74ms
 ✓ |fast| test/unit/pipeline/hedging.test.ts (4 tests) 27ms
 ✓ |fast| test/unit/pipeline/roster.test.ts (1 test) 18ms
 ✓ |fast| test/unit/pipeline/decide-answers.test.ts (13 tests) 110ms
 ✓ |fast| test/property/ai-llms.test.ts (6 tests) 50ms
 ✓ |fast| test/unit/pipeline/outliving-counters.test.ts (1 test) 36ms
 ✓ |fast| test/unit/pipeline/late-chats.test.ts (3 tests) 38ms
 ✓ |fast| test/property/duplicates.test.ts (7 tests) 49ms
 ✓ |fast| test/unit/pipeline/recovery.test.ts (3 tests) 47ms
 ✓ |fast| test/unit/pipeline/begun.test.ts (3 tests) 15ms
 ✓ |fast| test/unit/pipeline/endings.test.ts (8 tests) 44ms
 ✓ |fast| test/unit/pipeline/slow-counters.test.ts (4 tests) 31ms
 ✓ |fast| test/unit/pipeline/request-counts.test.ts (1 test) 15ms
 ✓ |fast| test/unit/pipeline/cache-warnings.test.ts (3 tests) 11ms
 ✓ |fast| test/unit/pipeline/reserve-fails.test.ts (2 tests) 19ms
 ✓ |fast| test/unit/pipeline/listeners.test.ts (4 tests) 21ms
 ✓ |fast| test/property/budget-notices.test.ts (1 test) 15ms
 ✓ |fast| test/unit/pipeline/neighbour-limits.test.ts (2 tests) 24ms
 ✓ |fast| test/unit/pipeline/ended-twice.test.ts (1 test) 11ms
 ✓ |fast| test/property/cache-similar.test.ts (26 tests) 15ms
 ✓ |fast| test/unit/pipeline/stale-access.test.ts (1 test) 9ms
 ✓ |fast| test/unit/pipeline/searches.test.ts (3 tests) 16ms
 ✓ |fast| test/unit/pipeline/registry.test.ts (2 tests) 7ms
 ✓ |fast| test/dependencies.test.ts (62 tests) 10ms
 ✓ |fast| test/docs.test.ts (3 tests) 6ms

 Test Files  126 passed (126)
      Tests  1986 passed (1986)
   Start at  04:47:55
   Duration  93.47s (tests 92%, import 6%, transform 1%)

