/**
 * Callers that wait for the same key share one result. A caller that arrives during a call shares the next one, so a result is never older
 * than its request.
 */
export function createSingleFlight<Answer>(): (place: object, question: string, ask: () => Promise<Answer>) => Promise<Answer> {
  interface Asked {
    readonly current: Promise<Answer>
    next: Promise<Answer> | null
  }
  const places = new WeakMap<object, Map<string, Asked>>()
  return (place, question, ask) => {
    const questions = places.get(place) ?? new Map<string, Asked>()
    places.set(place, questions)
    const begin = (): Promise<Answer> => {
      const asked: Asked = { current: ask(), next: null }
      questions.set(question, asked)
      const end = () => {
        if (questions.get(question) === asked && asked.next === null) questions.delete(question)
      }
      asked.current.then(end, end)
      return asked.current
    }
    const known = questions.get(question)
    if (known === undefined) return begin()
    known.next ??= known.current.then(begin, begin)
    return known.next
  }
}
