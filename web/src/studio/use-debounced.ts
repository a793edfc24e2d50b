import { useEffect, useState } from 'react'

/** The value, once it has not changed for so long; before, `first`. */
export function useDebounced<Value>(value: Value, milliseconds: number, first = value): Value {
  const [settled, setSettled] = useState(first)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), milliseconds)
    return () => window.clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
