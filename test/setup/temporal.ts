import { required } from './required.ts'

/** The dev server of this test run: namespace `default`, shared by all files, so task queues need unique names. */
export const temporalAddress: string = required('TEST_TEMPORAL_ADDRESS')
