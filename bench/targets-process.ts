import { startTargetsSimulator } from '#server/simulators/targets/simulator.ts'

/** A web in a process of its own, so that it does not share a core's time with what is measured. Every name exists, and is sound. */
const targets = await startTargetsSimulator({ sites: () => ({ page: { kind: 'page', body: 'x'.repeat(1_000) } }) })
process.send?.({ dnsServer: targets.dnsServer, viaText: targets.viaText, root: targets.root })
process.once('disconnect', () => void targets.close())
