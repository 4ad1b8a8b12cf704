export const reportFirstLoad = async (_: string): Promise<void> => undefined
