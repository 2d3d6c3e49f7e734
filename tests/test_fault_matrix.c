/* ranks: 1 2 3 */
/* spinning: 2 */
/* timeout: 300 */
/* Every creating call, and the first use of every other collective call, with the n-th allocation,
 * MPI call or file call failing on each rank in turn: the same status and sentence on every rank,
 * no output, nothing left alive, nothing waiting, and the same call succeeds afterwards. */
#include "support/fault_matrix.h"

int main(int argc, char **argv)
{
    return fault_matrix_run(argc, argv, fault_cases, fault_case_count);
}
