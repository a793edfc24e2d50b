import { useMutation } from '@tanstack/react-query'

export interface Action<Input> {
  /** `onDone` is called once it has succeeded, if its page is still there. */
  readonly run: (input: Input, onDone?: () => void) => void
  readonly isBusy: boolean
  readonly error: Error | null
}

/** Work that a person starts: one at a time, with its error for the page. */
export function useAction<Input = void>(work: (input: Input) => Promise<void>): Action<Input> {
  const { mutate, isPending, error } = useMutation({ mutationFn: work })
  return { run: (input, onDone) => mutate(input, { onSuccess: () => onDone?.() }), isBusy: isPending, error }
}
