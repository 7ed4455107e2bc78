// Runs before every file of the fast suites. What it imports is evaluated once in a worker.
import "./tiers/cheap-scrypt.ts";
import "./tiers/memory-folders.ts";
import "./tiers/property-budget.ts";
