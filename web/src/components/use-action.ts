import { useMutation, useQueryClient } from '@tanstack/react-query'

export interface Action<Input> {
  /** `onDone` is called once it has succeeded, if its page is still there. */
  readonly run: (input: Input, onDone?: () => void) => void
  readonly isBusy: boolean
  readonly error: Error | null
}

/** The queries that some work changes, which are then read again. */
export interface Changes {
  readonly queryKey: readonly unknown[]
  readonly exact?: boolean
}

/** Work that a person starts: one at a time, with its error for the page. */
export function useAction<Input = void>(work: (input: Input) => Promise<unknown>, changes?: Changes): Action<Input> {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (input: Input) => {
      await work(input)
      if (changes) await queryClient.invalidateQueries(changes)
    },
  })
  return { run: (input, onDone) => mutate(input, { onSuccess: () => onDone?.() }), isBusy: isPending, error }
}
