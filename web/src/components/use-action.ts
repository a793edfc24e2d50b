import { useMutation } from '@tanstack/react-query'

export interface Action<Input> {
  readonly run: (input: Input) => void
  readonly isBusy: boolean
  readonly error: Error | null
}

/** Work that a person starts: one at a time, with its error for the page. */
export function useAction<Input = void>(work: (input: Input) => Promise<void>): Action<Input> {
  const { mutate, isPending, error } = useMutation({ mutationFn: work })
  return { run: mutate, isBusy: isPending, error }
}
